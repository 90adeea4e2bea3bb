; What JavaScript and TypeScript share.

; Functions.
(function_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @function
(generator_function_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @function
(export_statement
  declaration: [
    (function_declaration name: (identifier) @name)
    (generator_function_declaration name: (identifier) @name)
  ]) @function
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @function
([
  (lexical_declaration . (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) .)
] @function)
(export_statement
  declaration: (lexical_declaration
    . (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) .)) @function
(pair
  key: [(property_identifier) (string)] @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @function
(method_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @function
((method_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @constructor
  (#eq? @name "constructor"))
(export_statement
  "default" @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @function

; Functions that are assigned: what they are assigned to owns them, but for the exports of the module.
((assignment_expression
  left: (member_expression
    object: [(identifier) @owner (member_expression object: (identifier) @owner property: (_) @_kept)]
    property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @function
  (#not-match? @owner "^(exports|module)$")
  (#any-of? @_kept "prototype"))
((assignment_expression
  left: (member_expression
    object: [(this) (identifier) (member_expression object: (identifier) property: (property_identifier))] @_of
    property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @function
  (#any-of? @_of "this" "exports" "module.exports"))
((assignment_expression
  left: (member_expression) @name
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @function
  (#eq? @name "module.exports"))

; Constants: what a module keeps, and what it exports as one value.
(program
  [
    (lexical_declaration . (variable_declarator name: (identifier) @name) .)
    (variable_declaration . (variable_declarator name: (identifier) @name) .)
  ] @constant)
(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
    (variable_declaration (variable_declarator name: (identifier) @name) @constant)
  ])
(export_statement
  declaration: [
    (lexical_declaration . (variable_declarator name: (identifier) @name) .)
    (variable_declaration . (variable_declarator name: (identifier) @name) .)
  ]) @constant
(export_statement
  declaration: [
    (lexical_declaration (variable_declarator name: (identifier) @name) @constant)
    (variable_declaration (variable_declarator name: (identifier) @name) @constant)
  ])
(export_statement "default" @name value: [(object) (array) (call_expression) (new_expression)] @body) @constant
((assignment_expression
  left: (member_expression) @name
  right: [(object) (call_expression) (new_expression)]) @constant
  (#eq? @name "module.exports"))
((program (expression_statement (assignment_expression
  left: (member_expression object: (_) @_of property: (property_identifier) @name)) @constant))
  (#any-of? @_of "exports" "module.exports"))

; Imports.
(import_statement . (string) @module) @import
(import_statement (import_clause (identifier) @default) source: (string) @module) @import
(import_statement (import_clause (namespace_import (identifier) @namespace)) source: (string) @module) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @name alias: (identifier)? @alias)))
  source: (string) @module) @import
(export_statement "*" @everything source: (string) @module) @import
(export_statement (namespace_export (_) @namespace) source: (string) @module) @import
(export_statement
  (export_clause (export_specifier name: (_) @name alias: (_)? @alias))
  source: (string) @module) @import
((variable_declarator
  name: (identifier) @namespace
  value: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .))) @import
  (#eq? @_load "require"))
((variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .))) @import
  (#eq? @_load "require"))
((variable_declarator
  name: (object_pattern (pair_pattern key: (_) @name value: (identifier) @alias))
  value: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .))) @import
  (#eq? @_load "require"))
((variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .))
    property: (property_identifier) @name)) @import
  (#eq? @_load "require"))
([
  (expression_statement (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .)))
  (arguments (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .)))
  (pair value: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .)))
  (return_statement (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .)))
  (assignment_expression
    right: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .)))
  (call_expression
    function: (call_expression function: (identifier) @_load arguments: (arguments . (string) @module .)))
] @import
  (#eq? @_load "require"))
(call_expression function: (import) arguments: (arguments . (string) @module)) @import

; Calls and constructions.
(call_expression function: [(identifier) (super)] @call.name arguments: (_) @arguments) @call
(call_expression
  function: (member_expression object: (_) @receiver property: (_) @call.name)
  arguments: (_) @arguments) @call
(new_expression constructor: (identifier) @call.name arguments: (_)? @arguments) @new
(new_expression
  constructor: (member_expression object: (_) @receiver property: (_) @call.name)
  arguments: (_)? @arguments) @new

; What a name is: what is constructed, or what the call gives that it is assigned to.
(variable_declarator
  name: (identifier) @name
  value: [
    (new_expression constructor: [(identifier) (member_expression)] @type)
    (call_expression function: [(identifier) (member_expression)] @type)
    (await_expression (call_expression function: [(identifier) (member_expression)] @type))
  ]) @binding
(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: [
    (new_expression constructor: [(identifier) (member_expression)] @type)
    (call_expression function: [(identifier) (member_expression)] @type)
    (await_expression (call_expression function: [(identifier) (member_expression)] @type))
  ]) @binding
(assignment_expression left: (member_expression object: (this)) @name right: (identifier) @type) @binding

; What is thrown, and what a value is compared with.
(throw_statement (new_expression constructor: [(identifier) (member_expression)] @throw))
((throw_statement (call_expression function: [(identifier) (member_expression)] @throw)) (#match? @throw "^[A-Z]"))
(binary_expression operator: "instanceof" right: [(identifier) (member_expression)] @type.reference)

(comment) @comment
