"""Tends knowledge: what has aged, doubled or broken becomes a proposal or a finding. Refuses to change knowledge."""
