# Copyright the friends of the Harbour Reading Room.
# You may use, copy and change this file for any purpose, provided that this notice stays
# with it. It comes without any warranty: whoever runs aground with it does so on their own
# account, and shall not hold the friends of the reading room liable for ship or cargo.

"""Counts the ships in a keeper's logbook."""
import sys


def ships(lines):
    """Yields the names of the ships that passed."""
    for number, line in enumerate(lines, start=1):
        kind, _, rest = line.partition(":")
        if kind.strip() != "ship":
            continue
        name = rest.strip()
        if not name:
            raise ValueError(f"line {number}: a ship without a name")
        yield name


if __name__ == "__main__":
    for name in ships(sys.stdin):
        print(name)
