"""The one glob dialect and its matcher in linear time. Refuses files, Git and every other room but errors."""
