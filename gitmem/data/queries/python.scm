; Definitions: the whole of a decorated one, decorators included.
(class_definition name: (identifier) @name body: (block) @body) @class
(decorated_definition definition: (class_definition name: (identifier) @name)) @class
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends)) @class
(function_definition name: (identifier) @name parameters: (parameters) @parameters body: (block) @body) @function
(decorated_definition definition: (function_definition name: (identifier) @name)) @function
(assignment
  left: (identifier) @name
  right: (lambda parameters: (lambda_parameters)? @parameters body: (_) @body)) @function
(module (assignment left: (identifier) @name) @constant)
(module (assignment left: (pattern_list (identifier) @name)) @constant)
(module (if_statement consequence: (block (assignment left: (identifier) @name) @constant)))
(module (try_statement body: (block (assignment left: (identifier) @name) @constant)))
(class_definition body: (block (assignment left: (identifier) @name) @field))
(type_alias_statement left: (type (identifier) @name)) @type
(decorator) @decorator

; Imports.
(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @name) @import
(import_from_statement
  module_name: (_) @module
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module (wildcard_import) @everything) @import
(future_import_statement "__future__" @module name: (dotted_name) @name) @import

; Calls.
(call function: (identifier) @call.name arguments: (_) @arguments) @call
(call function: (attribute object: (_) @receiver attribute: (identifier) @call.name) arguments: (_) @arguments) @call

; What a name is: written beside it, or what the call gives that it is assigned to.
(typed_parameter . (identifier) @name type: (type) @type) @binding
(typed_default_parameter name: (identifier) @name type: (type) @type) @binding
(assignment left: [(identifier) (attribute)] @name type: (type) @type) @binding
(assignment left: [(identifier) (attribute)] @name !type right: (call function: [(identifier) (attribute)] @type)) @binding
(assignment
  left: [(identifier) (attribute)] @name
  !type
  right: (await (call function: [(identifier) (attribute)] @type))) @binding
(assignment
  left: [(identifier) (attribute)] @name
  !type
  right: (boolean_operator right: (call function: [(identifier) (attribute)] @type))) @binding
(assignment left: (attribute object: (identifier)) @name !type right: (identifier) @type) @binding
(named_expression name: (identifier) @name value: (call function: [(identifier) (attribute)] @type)) @binding
(as_pattern
  (call function: [(identifier) (attribute)] @type)
  alias: (as_pattern_target (identifier) @name)) @binding
(except_clause
  value: (as_pattern [(identifier) (attribute)] @type alias: (as_pattern_target (identifier) @name))) @binding

; What is thrown, caught, and named in annotations.
(raise_statement . (call function: [(identifier) (attribute)] @throw))
((raise_statement . [(identifier) (attribute)] @throw) (#match? @throw "(^|[.])_*[A-Z][^.]*$"))
(except_clause value: [(identifier) (attribute)] @catch)
(except_clause value: (tuple [(identifier) (attribute)] @catch))
(except_clause value: (as_pattern . [(identifier) (attribute)] @catch))
(except_clause value: (as_pattern . (tuple [(identifier) (attribute)] @catch)))
((type [(identifier) (attribute)] @type.reference)
  (#not-match? @type.reference "^(str|int|bool|float|bytes|object|dict|list|set|tuple|Any)$"))
((type (string (string_content) @type.reference)) (#match? @type.reference "^[A-Za-z_][A-Za-z0-9_.]*$"))
((type (binary_operator [(identifier) (attribute)] @type.reference))
  (#not-match? @type.reference "^(str|int|bool|float|bytes|object|dict|list|set|tuple|Any)$"))
(type (list [(identifier) (attribute)] @type.reference))
((generic_type . (identifier) @type.reference)
  (#not-match? @type.reference "^(dict|list|set|tuple|type|frozenset|Optional|Union|Literal|Any)$"))

; Comments and docstrings.
(comment) @comment
(module . (comment)* . (string) @comment)
(class_definition body: (block . (comment)* . (string) @comment))
(function_definition body: (block . (comment)* . (string) @comment))

; What a name is when a call gives it, and what each of several is.
(assignment left: [(identifier) (attribute)] @name right: (call function: [(identifier) (attribute)] @type)) @binding
(for_statement left: (identifier) @name right: [(identifier) (attribute)] @type) @binding
