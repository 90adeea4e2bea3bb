"""gitmem: what a team and its agents know, kept in Git. Owns the version and nothing else."""

__version__ = "0.1.0"
