// Copyright the friends of the Harbour Reading Room.
// You may use, copy and change this file for any purpose, provided that this notice stays
// with it. It comes without any warranty: whoever runs aground with it does so on their own
// account, and shall not hold the friends of the reading room liable for ship or cargo.

/// When the next ferry leaves, in minutes after midnight.
pub fn next_ferry(now: u32, timetable: &[u32]) -> Option<u32> {
    timetable.iter().copied().find(|&departure| departure >= now)
}
