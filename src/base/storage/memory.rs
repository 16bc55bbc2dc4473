//! Returns freed memory to the system: a search uses much of it, in one stage after another, and a screen stays open all
//! day.

// glibc keeps memory freed by other threads; only this call returns it.
#![expect(unsafe_code, reason = "one call of the C library")]

/// Returns freed memory to the system. Does nothing with allocators other than glibc's.
pub fn trim() {
    // SAFETY: it takes no pointers and locks each arena.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}
