; What C and C++ share. Types: a union is a struct, and so is what a typedef names that has no name of its own.
(struct_specifier name: (type_identifier) @name body: (_) @body) @struct
(union_specifier name: (type_identifier) @name body: (_) @body) @struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @enum
(type_definition
  type: [
    (type_identifier)
    (primitive_type)
    (sized_type_specifier)
    (struct_specifier name: (_) !body)
    (union_specifier name: (_) !body)
    (enum_specifier name: (_) !body)
  ]
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))
  ]) @type
(type_definition
  type: [(struct_specifier name: (_) body: (_)) (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))]
  declarator: [(type_identifier) @name @type (pointer_declarator declarator: (type_identifier) @name @type)])
(type_definition
  type: [(struct_specifier !name body: (_) @body) (union_specifier !name body: (_) @body)]
  declarator: (type_identifier) @name) @struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @enum

; Functions, and what declares them.
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    (pointer_declarator declarator: (pointer_declarator
      declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
  ]
  body: (_)? @body) @function
(translation_unit
  (declaration declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
(preproc_ifdef
  (declaration declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
(preproc_if
  (declaration declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
(preproc_else
  (declaration declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
(declaration_list
  (declaration declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @function)
(preproc_function_def name: (identifier) @name parameters: (_) @parameters) @macro
(preproc_def name: (identifier) @name value: (_)) @macro

; Fields, members of enums, values that are kept.
(field_declaration declarator: [
  (field_identifier) @name
  (pointer_declarator declarator: (field_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
  (array_declarator declarator: (field_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))
]) @field
(enumerator name: (identifier) @name) @constant
([
  (translation_unit (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])) @constant)
  (preproc_ifdef (declaration declarator: (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ])) @constant)
])

; Imports.
(preproc_include path: (_) @module @everything) @import

; Calls.
(call_expression function: (identifier) @call.name arguments: (_) @arguments) @call
(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @call.name)
  arguments: (_) @arguments) @call

; What a name is.
(parameter_declaration
  type: [(type_identifier) @type (struct_specifier name: (_) @type)]
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (array_declarator declarator: (identifier) @name)
  ]) @binding
(declaration
  type: [(type_identifier) @type (struct_specifier name: (_) @type)]
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
  ]) @binding
(field_declaration
  type: [(type_identifier) @type (struct_specifier name: (_) @type)]
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ]) @binding

(type_identifier) @type.reference

(comment) @comment
