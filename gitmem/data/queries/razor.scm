; What Razor adds to HTML: views that stand as tags.
((_
  (tag_name) @_partial
  (attribute (attribute_name) @_name (quoted_attribute_value (attribute_value) @module))) @import
  (#eq? @_partial "partial")
  (#eq? @_name "name"))
