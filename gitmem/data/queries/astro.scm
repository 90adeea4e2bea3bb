; Components that stand as tags.
((start_tag (tag_name) @uses) (#match? @uses "^[A-Z]"))
((self_closing_tag (tag_name) @uses) (#match? @uses "^[A-Z]"))

; Names that are bound without more of an expression.
((attribute_js_expr) @uses (#match? @uses "^ *[A-Za-z_$][A-Za-z0-9_$.]* *$"))
((html_interpolation . (permissible_text) @uses .) (#match? @uses "^ *[A-Za-z_$][A-Za-z0-9_$.]* *$"))

; Ids.
((attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name)) @element (#eq? @_id "id"))

; The front matter; expressions, each kind called by a bracket of its own, for texts between tags go on behind them.
(frontmatter_js_block) @embed
(attribute_interpolation (attribute_js_expr) @embed "}" @embed.language)
(html_interpolation "{" @embed.language (permissible_text) @embed)
(script_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
(style_element (start_tag (tag_name) @embed.language) (raw_text) @embed)
((style_element
  (start_tag (attribute (attribute_name) @_lang (quoted_attribute_value (attribute_value) @embed.language)))
  (raw_text) @embed)
  (#eq? @_lang "lang"))

(comment) @comment
