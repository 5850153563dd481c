//! The manual pages, so that the program installs them wherever it is copied to.

macro_rules! pages {
    ($($name:literal)*) => {
        /// Name of the file and its text.
        pub(crate) const PAGES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../man/", $name)))),*];
    };
}

pages! {
    "heap-cat.1"
    "heap-check.1"
    "heap-diff.1"
    "heap-dom.1"
    "heap-dump.1"
    "heap-filter.1"
    "heap-fleet.7"
    "heap-grep.1"
    "heap-info.1"
    "heap-names.1"
    "heap-path.1"
    "heap-records.5"
    "heap-redact.1"
    "heap-show.1"
    "heap-strings.1"
    "heap-sum.1"
    "heap-suspects.1"
    "heap-to.1"
    "heap-tools.1"
    "heap-tools.7"
    "heap-top.1"
    "heap-tree.1"
    "heap-trend.1"
    "heap-view.1"
    "heap-walk.1"
}
