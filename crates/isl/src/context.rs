//! Where do isl's objects live, and what happens when isl fails? In a context that is made for one question, and freed after it.
//!
//! Not one for each thread: what was asked before in a context can change the pieces of an answer (the same points in other words), and output
//! must be the same for any number of threads. A context costs a microsecond or two.

use crate::raw;
use std::ffi::CStr;
use std::fmt;
use std::ptr::NonNull;

/// Why isl gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// The limit of operations was reached.
    TooMuchWork,
    /// There was not enough memory.
    OutOfMemory,
    /// There is no least or greatest value.
    Unbounded,
    /// Anything else: asked in a way that isl does not support, or isl found itself inconsistent.
    Failed,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::TooMuchWork => "the question takes too many operations",
            Error::OutOfMemory => "out of memory",
            Error::Unbounded => "there is no bound",
            Error::Failed => "the integer set library cannot answer",
        })
    }
}

impl std::error::Error for Error {}

/// Where the objects of one question live. It cannot leave its thread.
pub struct Context {
    pub(crate) raw: NonNull<raw::Ctx>,
}

impl Context {
    fn new(operations: u64) -> Result<Context, Error> {
        // SAFETY: no arguments; NULL is handled.
        let raw = NonNull::new(unsafe { raw::isl_ctx_alloc() }).ok_or(Error::OutOfMemory)?;
        // SAFETY: the context was just made. Errors give NULL without a message.
        unsafe {
            raw::isl_options_set_on_error(raw.as_ptr(), raw::ON_ERROR_CONTINUE);
            raw::isl_ctx_set_max_operations(raw.as_ptr(), operations);
        }
        Ok(Context { raw })
    }

    /// Was there an error, of which isl may have returned nothing?
    fn has_failed(&self) -> bool {
        // SAFETY: the context lives.
        unsafe { raw::isl_ctx_last_error(self.raw.as_ptr()) != raw::ERROR_NONE }
    }

    /// The reason of the last NULL.
    pub(crate) fn error(&self) -> Error {
        // SAFETY: the context lives.
        match unsafe { raw::isl_ctx_last_error(self.raw.as_ptr()) } {
            raw::ERROR_QUOTA => Error::TooMuchWork,
            raw::ERROR_ALLOCATION => Error::OutOfMemory,
            raw::ERROR_NONE => Error::Failed,
            // SAFETY: the context lives; isl's messages are constant text.
            _ => match NonNull::new(unsafe { raw::isl_ctx_last_error_msg(self.raw.as_ptr()) }.cast_mut()) {
                // SAFETY: the same.
                Some(message) if unsafe { CStr::from_ptr(message.as_ptr()) } == c"unbounded optimum" => {
                    Error::Unbounded
                }
                _ => Error::Failed,
            },
        }
    }

    /// The object, or why there is none.
    pub(crate) fn object<T>(&self, raw: *mut T) -> Result<NonNull<T>, Error> {
        NonNull::new(raw).ok_or_else(|| self.error())
    }

    /// A size, or why there is none.
    pub(crate) fn size(&self, raw: raw::Size) -> Result<usize, Error> {
        usize::try_from(raw).map_err(|_| self.error())
    }

    /// A truth, or why there is none.
    pub(crate) fn truth(&self, raw: raw::Size) -> Result<bool, Error> {
        self.size(raw).map(|truth| truth != 0)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: everything that lived in it borrowed it, so it is gone.
        unsafe { raw::isl_ctx_free(self.raw.as_ptr()) };
    }
}

/// Answers one question with at most `operations` operations of isl (0: no limit), which are counted the same way on every machine.
pub fn ask<T>(operations: u64, question: impl FnOnce(&Context) -> Result<T, Error>) -> Result<T, Error> {
    let context = Context::new(operations)?;
    let answer = question(&context)?;
    // An error that isl got over by itself may have left something out of the answer.
    if context.has_failed() {
        return Err(context.error());
    }
    Ok(answer)
}
