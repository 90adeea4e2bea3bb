; Types.
(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @struct
(union_item name: (type_identifier) @name body: (_) @body) @struct
(enum_item name: (type_identifier) @name body: (_) @body) @enum
(trait_item name: (type_identifier) @name body: (_) @body) @trait
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @extends)) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(mod_item name: (identifier) @name body: (_) @body) @module
(macro_definition name: (identifier) @name) @macro

; What stands in an impl belongs to its type.
(function_item name: (identifier) @name parameters: (_) @parameters body: (_) @body) @function
(function_signature_item name: (identifier) @name parameters: (_) @parameters) @function
(impl_item
  type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (generic_type type: (scoped_type_identifier name: (_) @owner))
    (scoped_type_identifier name: (_) @owner)
    (reference_type type: (type_identifier) @owner)
    (reference_type type: (generic_type type: (type_identifier) @owner))
  ]
  body: (declaration_list (function_item name: (identifier) @name) @function))
(impl_item
  type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (scoped_type_identifier name: (_) @owner)
  ]
  body: (declaration_list (const_item name: (identifier) @name) @constant))
(impl_item
  trait: [
    (type_identifier) @implements
    (scoped_type_identifier) @implements
    (generic_type type: (_) @implements)
  ]
  type: [
    (type_identifier) @owner
    (generic_type type: (type_identifier) @owner)
    (scoped_type_identifier name: (_) @owner)
  ]) @addition

; Values that are kept, fields and variants.
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(field_declaration name: (field_identifier) @name) @field
(enum_variant name: (identifier) @name) @constant

; Attributes of what is defined; those of statements and imports are none of it.
((attribute_item) @decorator . [
  (attribute_item) (line_comment) (block_comment)
  (function_item) (function_signature_item) (struct_item) (union_item) (enum_item) (trait_item) (type_item) (mod_item)
  (macro_definition) (const_item) (static_item) (field_declaration) (enum_variant)
])

; Imports.
(use_declaration argument: (identifier) @module) @import
(use_declaration argument: (scoped_identifier path: (_) @module name: (_) @name)) @import
(use_declaration argument: (use_as_clause path: (identifier) @module alias: (_) @alias)) @import
(use_as_clause path: (scoped_identifier path: (_) @module name: (_) @name) alias: (_) @alias) @import
(use_wildcard [(identifier) (scoped_identifier) (crate) (self) (super)]? @module) @everything @import
(scoped_use_list path: (_) @prefix list: (use_list) @scope) @import
(scoped_use_list path: (_) @module list: (use_list (self))) @import
(scoped_use_list path: (_) @module list: (use_list (use_as_clause path: (self) alias: (_) @alias))) @import
(use_list (identifier) @name) @import
(use_list (scoped_identifier path: (_) @module name: (_) @name)) @import
(use_list (use_as_clause path: (identifier) @name alias: (_) @alias)) @import
(extern_crate_declaration name: (identifier) @module !alias) @import
(extern_crate_declaration name: (identifier) @module alias: (_) @alias) @import
(mod_item name: (identifier) @module !body) @import

; Calls and constructions, those among the tokens of a macro as well.
(call_expression function: (identifier) @call.name arguments: (_) @arguments) @call
(call_expression function: (generic_function function: (identifier) @call.name) arguments: (_) @arguments) @call
(call_expression
  function: (scoped_identifier path: (_) @receiver name: (_) @call.name)
  arguments: (_) @arguments) @call
(call_expression
  function: (generic_function function: (scoped_identifier path: (_) @receiver name: (_) @call.name))
  arguments: (_) @arguments) @call
(call_expression
  function: (field_expression value: (_) @receiver field: (field_identifier) @call.name)
  arguments: (_) @arguments) @call
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (_) @call.name))
  arguments: (_) @arguments) @call
(macro_invocation macro: (identifier) @call.name) @call
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (_) @call.name)) @call
(token_tree (identifier) @call.name . (token_tree . "(")) @call
(token_tree [(identifier) (self) (crate)] @receiver . ["." "::"] . (identifier) @call.name . (token_tree . "(")) @call
(struct_expression name: (type_identifier) @call.name) @new
(struct_expression name: (scoped_type_identifier path: (_) @receiver name: (_) @call.name)) @new
(struct_expression name: (generic_type_with_turbofish type: (type_identifier) @call.name)) @new

; What a name is: by its type, or by the type that makes it.
(parameter pattern: (identifier) @name type: (_) @type) @binding
(let_declaration pattern: (identifier) @name type: (_) @type) @binding
(field_declaration name: (field_identifier) @name type: (_) @type) @binding
(static_item name: (identifier) @name type: (_) @type) @binding
(let_declaration pattern: (identifier) @name !type value: [
  (struct_expression name: (_) @type)
  (call_expression function: (scoped_identifier path: [(identifier) (scoped_identifier) (generic_type)] @type))
  (try_expression (call_expression function: (scoped_identifier path: [(identifier) (scoped_identifier)] @type)))
  (await_expression (call_expression function: (scoped_identifier path: [(identifier) (scoped_identifier)] @type)))
  (reference_expression value: (struct_expression name: (_) @type))
]) @binding

; An error is what an Err holds.
((call_expression
  function: (identifier) @_err
  arguments: (arguments . [
    (identifier) @throw
    (scoped_identifier path: (_) @throw)
    (call_expression function: (identifier) @throw)
    (call_expression function: (scoped_identifier path: (_) @throw))
    (struct_expression name: (type_identifier) @throw)
    (struct_expression name: (scoped_type_identifier path: (_) @throw))
  ]))
  (#eq? @_err "Err") (#match? @throw "^([A-Za-z0-9_]+::)*[A-Z]"))
((tuple_struct_pattern
  type: (identifier) @_err
  [
    (scoped_identifier path: (_) @catch)
    (tuple_struct_pattern type: (scoped_identifier path: (_) @catch))
    (struct_pattern type: (scoped_type_identifier path: (_) @catch))
  ])
  (#eq? @_err "Err"))

; Types that are named.
(parameter type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(function_item return_type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(function_signature_item return_type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(field_declaration type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(ordered_field_declaration_list type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(let_declaration type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(const_item type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(static_item type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(type_item type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(reference_type type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(pointer_type type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(generic_type type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(type_arguments [(type_identifier) (scoped_type_identifier)] @type.reference)
(array_type element: [(type_identifier) (scoped_type_identifier)] @type.reference)
(tuple_type [(type_identifier) (scoped_type_identifier)] @type.reference)
(dynamic_type trait: [(type_identifier) (scoped_type_identifier)] @type.reference)
(abstract_type trait: [(type_identifier) (scoped_type_identifier)] @type.reference)
(trait_bounds [(type_identifier) (scoped_type_identifier)] @type.reference)
(type_cast_expression type: [(type_identifier) (scoped_type_identifier)] @type.reference)
(impl_item trait: [(type_identifier) (scoped_type_identifier)] @type.reference)

[(line_comment) (block_comment)] @comment

; Macros that only say under which condition the items in them are there, and those that hold one item.
((macro_invocation macro: (identifier) @_held (token_tree . "{") @embed)
  (#match? @_held "^(cfg_|not_|feature$|pin_project|doc$|rt_test$|thread_local_)"))
