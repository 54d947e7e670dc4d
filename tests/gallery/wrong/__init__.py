"""Wrong versions of the subject that a file is named after: every function of the file is one."""
