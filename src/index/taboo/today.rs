//! The date of new decisions.

/// Today's date in the user's time zone.
pub fn today() -> jiff::civil::Date {
    jiff::Zoned::now().date()
}
