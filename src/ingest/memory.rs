//! Memory that nobody needs any more, given back to the system: a search takes much of it, and a screen stays open
//! all day.

// glibc keeps what was freed on many threads, and only this call makes it let go.
#![allow(unsafe_code)]

/// Gives back what was freed. It is a hint, and does nothing where the allocator takes none.
pub fn give_back() {
    // SAFETY: it takes no pointers, and locks each arena while it looks at it.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}
