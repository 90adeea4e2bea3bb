; Blocks, macros and what is set.
((tag_statement (tag) @_block . (variable) @name) @element (#eq? @_block "block"))
(macro_statement (method) @name (parameters) @parameters) @function

; Templates.
((tag_statement (tag) @_tag . [(interpolated_string) (string)] @module) @import
  (#any-of? @_tag "extends" "include" "embed" "use" "form_theme"))
((import_statement [(interpolated_string) (string)] @module (name) @namespace) @import)
((from_statement [(interpolated_string) (string)] @module (keyword) @_import . (name) @name) @import
  (#eq? @_import "import"))
((function_call
  (function_identifier) @_include
  (arguments . (argument (argument_value [(string) (interpolated_string)] @module)))) @import
  (#any-of? @_include "include" "source"))

; Calls.
((function_call (function_identifier) @call.name (arguments) @arguments) @call)

(content) @embed
(comment) @comment
