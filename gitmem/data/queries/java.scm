; Types.
(class_declaration name: (identifier) @name body: (_) @body) @class
(class_declaration superclass: (superclass (_) @extends)) @class
(class_declaration interfaces: (super_interfaces (type_list (_) @implements))) @class
(interface_declaration name: (identifier) @name body: (_) @body) @interface
(interface_declaration (extends_interfaces (type_list (_) @extends))) @interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @interface
(enum_declaration name: (identifier) @name body: (_) @body) @enum
(enum_declaration interfaces: (super_interfaces (type_list (_) @implements))) @enum
(record_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @class
(record_declaration interfaces: (super_interfaces (type_list (_) @implements))) @class

; Members.
(method_declaration name: (identifier) @name parameters: (_) @parameters body: (_)? @body) @function
(annotation_type_element_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @constructor
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(enum_constant name: (identifier) @name) @constant
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @field))

; Annotations of what is defined; those of parameters and local variables are none of it.
(class_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(interface_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(annotation_type_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(enum_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(record_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(method_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(constructor_declaration (modifiers [(annotation) (marker_annotation)] @decorator))
(field_declaration (modifiers [(annotation) (marker_annotation)] @decorator))

; Imports: of a type the package is the module; of a member its type is.
(import_declaration . (scoped_identifier scope: (_) @module name: (_) @name) .) @import
(import_declaration . (identifier) @module .) @import
(import_declaration . [(scoped_identifier) (identifier)] @module (asterisk) @everything) @import

; Calls and constructions.
(method_invocation !object name: (identifier) @call.name arguments: (_) @arguments) @call
(method_invocation object: (_) @receiver name: (identifier) @call.name arguments: (_) @arguments) @call
(method_reference . (_) @receiver "::" (identifier) @call.name .) @call
(explicit_constructor_invocation constructor: [(this) (super)] @call.name arguments: (_) @arguments) @call
(object_creation_expression type: (type_identifier) @call.name arguments: (_) @arguments) @new
(object_creation_expression type: (generic_type . (type_identifier) @call.name) arguments: (_) @arguments) @new
(object_creation_expression
  type: (scoped_type_identifier (_) @receiver (type_identifier) @call.name)
  arguments: (_) @arguments) @new
(object_creation_expression
  type: (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @call.name))
  arguments: (_) @arguments) @new
(method_reference . [(type_identifier) (identifier)] @call.name "new" .) @new

; What a name is.
(formal_parameter type: (_) @type name: (identifier) @name) @binding
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @binding
((local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @binding
  (#not-eq? @type "var"))
((local_variable_declaration
  type: (type_identifier) @_inferred
  declarator: (variable_declarator
    name: (identifier) @name
    value: [(object_creation_expression type: (_) @type) (method_invocation name: (_) @type)])) @binding
  (#eq? @_inferred "var"))
(resource type: (_) @type name: (identifier) @name) @binding
((enhanced_for_statement type: (_) @type name: (identifier) @name) @binding (#not-eq? @type "var"))
((enhanced_for_statement
  type: (type_identifier) @_inferred
  name: (identifier) @name
  value: [(identifier) (field_access)] @type) @binding
  (#eq? @_inferred "var"))
(catch_formal_parameter (catch_type) @type name: (identifier) @name) @binding
(instanceof_expression right: (_) @type name: (identifier) @name) @binding

; What is thrown, caught, and named as a type.
(throw_statement (object_creation_expression type: (_) @throw))
(throws (_) @throw)
(catch_type (_) @catch)
(formal_parameter type: (type_identifier) @type.reference)
(field_declaration type: (type_identifier) @type.reference)
(method_declaration type: (type_identifier) @type.reference)
((local_variable_declaration type: (type_identifier) @type.reference) (#not-eq? @type.reference "var"))
(type_arguments (type_identifier) @type.reference)
(generic_type . (type_identifier) @type.reference)
(array_type element: (type_identifier) @type.reference)
(class_literal (type_identifier) @type.reference)
(type_bound (type_identifier) @type.reference)
(cast_expression type: (type_identifier) @type.reference)
(instanceof_expression right: (type_identifier) @type.reference)

[(line_comment) (block_comment)] @comment
