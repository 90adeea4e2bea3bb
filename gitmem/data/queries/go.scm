; Types: the whole statement where it declares one, its part where it declares several.
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @struct
(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type)) .) @struct
(type_spec type: (struct_type (field_declaration_list (field_declaration
  !name
  type: [(type_identifier) (qualified_type) (generic_type)] @extends)))) @struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @interface
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type)) .) @interface
(type_spec type: (interface_type (type_elem
  . [(type_identifier) (qualified_type) (generic_type)] @extends .))) @interface
(type_spec
  name: (type_identifier) @name
  type: [
    (type_identifier) (qualified_type) (generic_type) (pointer_type) (function_type)
    (slice_type) (array_type) (map_type) (channel_type)
  ]) @type
(type_alias name: (type_identifier) @name) @type

; Functions; a receiver says whose they are.
(function_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration
    type: [
      (type_identifier) @owner
      (generic_type type: (type_identifier) @owner)
      (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])
      (parenthesized_type [(type_identifier) @owner (pointer_type (type_identifier) @owner)])
    ]))
  name: (field_identifier) @name
  parameters: (_) @parameters
  body: (_)? @body) @function
(method_elem name: (field_identifier) @name parameters: (_) @parameters) @function
(var_spec
  name: (identifier) @name
  value: (expression_list . (func_literal parameters: (_) @parameters body: (_) @body) .)) @function
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal parameters: (_) @parameters body: (_) @body) .)) @function

; Fields of named types, and what a package keeps.
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @field)))
(const_declaration (const_spec name: (identifier) @name) @constant)
(source_file (var_declaration (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))

; Imports.
(import_spec !name path: (_) @module) @import
(import_spec name: (package_identifier) @alias path: (_) @module) @import
(import_spec name: (dot) @everything path: (_) @module) @import
(import_spec name: (blank_identifier) path: (_) @module) @import

; Calls and constructions.
(call_expression function: (identifier) @call.name arguments: (_) @arguments) @call
(call_expression
  function: (selector_expression operand: (_) @receiver field: (_) @call.name)
  arguments: (_) @arguments) @call
(call_expression function: (parenthesized_expression (identifier) @call.name) arguments: (_) @arguments) @call
; One type for a generic function reads as an index, and with one value as a conversion.
(call_expression function: (index_expression operand: (identifier) @call.name) arguments: (_) @arguments) @call
(call_expression
  function: (index_expression operand: (selector_expression operand: (_) @receiver field: (_) @call.name))
  arguments: (_) @arguments) @call
(type_conversion_expression type: (generic_type type: (type_identifier) @call.name)) @call
(type_conversion_expression
  type: (generic_type type: (qualified_type package: (_) @receiver name: (_) @call.name))) @call
(composite_literal type: (type_identifier) @call.name) @new
(composite_literal type: (generic_type type: (type_identifier) @call.name)) @new
(composite_literal type: (qualified_type package: (_) @receiver name: (_) @call.name)) @new

; What a name is: parameters, receivers, fields, variables, and what is made of a type that is written.
(parameter_declaration
  name: (identifier) @name
  type: (_) @type) @binding
(field_declaration
  name: (field_identifier) @name
  type: (_) @type) @binding
(field_declaration !name type: (type_identifier) @name @type) @binding
(field_declaration !name type: (qualified_type name: (_) @name) @type) @binding
(field_declaration !name type: (generic_type type: (type_identifier) @name) @type) @binding
(var_spec
  name: (identifier) @name
  type: (_) @type) @binding
(var_spec
  name: (identifier) @name
  value: (expression_list . [
    (composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @type)
    (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @type))
  ] .)) @binding
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . [
    (call_expression function: [(identifier) (selector_expression)] @type)
    (composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @type)
    (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @type))
    (type_assertion_expression type: [(type_identifier) (qualified_type) (pointer_type)] @type)
  ] .)) @binding
((short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . (call_expression
    function: (identifier) @_new
    arguments: (argument_list . [(type_identifier) (qualified_type)] @type .)) .)) @binding
  (#eq? @_new "new"))

; What is thrown, and the types that are named.
((call_expression
  function: (identifier) @_panic
  arguments: (argument_list . (call_expression function: [(identifier) (selector_expression)] @throw)))
  (#eq? @_panic "panic"))
([
  (parameter_declaration type: [(type_identifier) (qualified_type)] @type.reference)
  (field_declaration type: [(type_identifier) (qualified_type)] @type.reference)
  (pointer_type [(type_identifier) (qualified_type)] @type.reference)
  (slice_type element: [(type_identifier) (qualified_type)] @type.reference)
  (map_type [(type_identifier) (qualified_type)] @type.reference)
  (function_declaration result: [(type_identifier) (qualified_type)] @type.reference)
  (method_declaration result: [(type_identifier) (qualified_type)] @type.reference)
]
  (#not-match? @type.reference "^(u?int(8|16|32|64)?|string|bool|byte|rune|error|any|float(32|64)|uintptr)$"))
(generic_type type: (_) @type.reference)
(type_elem [(type_identifier) (qualified_type)] @type.reference)
(type_case type: [(type_identifier) (qualified_type)] @type.reference)
(type_assertion_expression type: [(type_identifier) (qualified_type)] @type.reference)

(comment) @comment
