; What Razor adds to HTML: views that stand as tags.
((start_tag
  (tag_name) @_partial
  (attribute (attribute_name) @_name (quoted_attribute_value (attribute_value) @module))) @import
  (#eq? @_partial "partial")
  (#eq? @_name "name"))
((self_closing_tag
  (tag_name) @_partial
  (attribute (attribute_name) @_name (quoted_attribute_value (attribute_value) @module))) @import
  (#eq? @_partial "partial")
  (#eq? @_name "name"))
