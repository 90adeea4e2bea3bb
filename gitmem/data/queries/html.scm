; Ids, of symbols as well, and elements that are used by them or by the name of a custom one.
((attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)) @element (#eq? @_id "id"))
((attribute (attribute_name) @_id (attribute_value) @name) @element (#eq? @_id "id"))
((start_tag
  (tag_name) @_use
  (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @uses)))
  (#any-of? @_use "use" "textPath" "mpath")
  (#any-of? @_href "href" "xlink:href"))
((self_closing_tag
  (tag_name) @_use
  (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @uses)))
  (#any-of? @_use "use" "textPath" "mpath")
  (#any-of? @_href "href" "xlink:href"))
((start_tag (tag_name) @uses) (#match? @uses "^[A-Z]|^[a-z][a-z0-9]*-"))
((self_closing_tag (tag_name) @uses) (#match? @uses "^[A-Z]|^[a-z][a-z0-9]*-"))

; Scripts and style sheets of other files.
((script_element
  (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @module)))) @import
  (#eq? @_src "src"))
((start_tag
  (tag_name) @_link
  (attribute (attribute_name) @_rel (quoted_attribute_value (attribute_value) @_kind))
  (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @module))) @import
  (#eq? @_link "link")
  (#any-of? @_kind "stylesheet" "modulepreload" "import")
  (#eq? @_rel "rel")
  (#eq? @_href "href"))
((start_tag
  (tag_name) @_link
  (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @module))
  (attribute (attribute_name) @_rel (quoted_attribute_value (attribute_value) @_kind))) @import
  (#eq? @_link "link")
  (#any-of? @_kind "stylesheet" "modulepreload" "import")
  (#eq? @_rel "rel")
  (#eq? @_href "href"))
((self_closing_tag
  (tag_name) @_link
  (attribute (attribute_name) @_rel (quoted_attribute_value (attribute_value) @_kind))
  (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @module))) @import
  (#eq? @_link "link")
  (#any-of? @_kind "stylesheet" "modulepreload" "import")
  (#eq? @_rel "rel")
  (#eq? @_href "href"))
((self_closing_tag
  (tag_name) @_link
  (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @module))
  (attribute (attribute_name) @_rel (quoted_attribute_value (attribute_value) @_kind))) @import
  (#eq? @_link "link")
  (#any-of? @_kind "stylesheet" "modulepreload" "import")
  (#eq? @_rel "rel")
  (#eq? @_href "href"))

; Scripts and styles that stand here.
(script_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
((script_element
  (start_tag (attribute (attribute_name) @_type (quoted_attribute_value (attribute_value) @embed.language)))
  (raw_text) @embed)
  (#eq? @_type "type"))
(style_element (start_tag (tag_name) @embed.language) (raw_text) @embed)

(comment) @comment
