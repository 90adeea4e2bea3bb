; Components that stand as tags; `user-card` is the component UserCard.
((start_tag (tag_name) @uses) (#match? @uses "^[A-Z]"))
((self_closing_tag (tag_name) @uses) (#match? @uses "^[A-Z]"))
((start_tag (tag_name) @uses.dashed) (#match? @uses.dashed "^[a-z].*-"))
((self_closing_tag (tag_name) @uses.dashed) (#match? @uses.dashed "^[a-z].*-"))

; Names that are bound without more of an expression: `@click="save"`, `{{ cart.total }}`.
((directive_attribute (quoted_attribute_value (attribute_value) @uses))
  (#match? @uses "^ *[A-Za-z_$][A-Za-z0-9_$.]* *$"))
((interpolation (raw_text) @uses) (#match? @uses "^ *[A-Za-z_$][A-Za-z0-9_$.]* *$"))

; Ids.
((attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)) @element (#eq? @_id "id"))

; Expressions, scripts and styles.
(directive_attribute (quoted_attribute_value (attribute_value) @embed))
(interpolation (raw_text) @embed)
(script_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
((script_element
  (start_tag (attribute (attribute_name) @_lang (quoted_attribute_value (attribute_value) @embed.language)))
  (raw_text) @embed)
  (#eq? @_lang "lang"))
(style_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
((style_element
  (start_tag (attribute (attribute_name) @_lang (quoted_attribute_value (attribute_value) @embed.language)))
  (raw_text) @embed)
  (#eq? @_lang "lang"))
((script_element
  (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @module)))) @import
  (#eq? @_src "src"))

(comment) @comment
