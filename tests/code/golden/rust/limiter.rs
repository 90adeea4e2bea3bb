//! Limits how often a caller may ask.
#![forbid(unsafe_code)]

use std::collections::{hash_map::{self, Entry}, HashMap as Map};
use std::fmt::{self, Display};
use crate::clock::*;
use super::store as keep;
use tracing::{debug, warn};

pub use self::bucket::Bucket;

mod bucket;

pub const LIMIT: usize = 10;
static NAMES: &[&str] = &["slow", "fast"];

pub type Outcome<T> = Result<T, Refusal>;

/// How much each caller has left.
#[derive(Debug, Clone)]
pub struct Limiter<T: Clock> {
    clock: T,
    #[doc(hidden)]
    pub buckets: Map<String, Bucket>,
}

pub struct Pair(pub u32, String);

pub enum Refusal {
    Empty,
    Later { after_ms: u64 },
    Other(Box<dyn std::error::Error>),
}

pub trait Clock: Send + fmt::Debug {
    const TICKS: u64 = 10;
    type Moment;

    fn now(&self) -> Self::Moment;

    fn sleep(&mut self, ms: u64) {
        keep::wait(ms);
    }
}

impl<T: Clock> Limiter<T> {
    pub fn new(clock: T) -> Self {
        let mut buckets = Map::new();
        let first: Bucket = Bucket::with(LIMIT);
        buckets.insert("a".to_string(), first);
        Self { clock, buckets }
    }

    pub async fn take<'a>(&'a mut self, name: &str, count: u32) -> Outcome<()> {
        let bucket = Bucket::open(name).await;
        let pair = Pair { 0: count, 1: name.into() };
        self.buckets.get(name).ok_or(Refusal::Empty)?.take(count);
        if count > 3 {
            return Err(Refusal::Later { after_ms: 3 });
        }
        match self.peek::<u32>(pair) {
            Err(Refusal::Other(why)) => warn!("no {}", why.source()),
            _ => helper::<u8>(bucket),
        }
        crate::audit::note(name);
        Ok(())
    }
}

impl<T: Clock> Display for Limiter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.buckets.len())
    }
}

impl From<Refusal> for keep::Failure {
    fn from(refusal: Refusal) -> Self {
        keep::Failure::of(refusal)
    }
}

macro_rules! twice {
    ($e:expr) => { $e; $e };
}

cfg_rt! {
    /// Only with a runtime.
    pub struct Handle {
        limiter: Limiter<Still>,
    }

    impl Handle {
        pub fn spawn(&self) -> Outcome<()> {
            self.limiter.take("a", 1)
        }
    }
}

extern "C" {
    fn c_side(count: i32) -> i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn takes_no_more_than_there_is() {
        fn made() -> Pair { Pair(1, String::new()) }
        let limiter = Limiter::new(Still);
        assert_eq!(limiter.take("a", made().0).await, Outcome::Ok(()));
    }
}
