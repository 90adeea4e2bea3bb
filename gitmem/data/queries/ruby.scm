; Classes and modules, also those that are made by a call.
(class name: (constant) @name body: (body_statement)? @body) @class
(class name: (scope_resolution scope: (_) @owner name: (_) @name) body: (body_statement)? @body) @class
(class name: (scope_resolution !scope name: (_) @name) body: (body_statement)? @body) @class
(class superclass: (superclass [(constant) (scope_resolution)] @extends)) @class
(class superclass: (superclass (call receiver: (constant) @extends))) @class
(module name: (constant) @name body: (body_statement)? @body) @module
(module name: (scope_resolution scope: (_) @owner name: (_) @name) body: (body_statement)? @body) @module
((class body: (body_statement (call
  !receiver
  method: (identifier) @_include
  arguments: (argument_list [(constant) (scope_resolution)] @implements)))) @class
  (#any-of? @_include "include" "prepend" "extend"))
((module body: (body_statement (call
  !receiver
  method: (identifier) @_include
  arguments: (argument_list [(constant) (scope_resolution)] @implements)))) @module
  (#any-of? @_include "include" "prepend" "extend"))
((assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_made
    method: (identifier) @_new
    arguments: (argument_list . (_) @extends .)? )) @class
  (#any-of? @_made "Class") (#eq? @_new "new"))
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_made method: (identifier) @_new block: (_)? @body)) @class
  (#any-of? @_made "Struct" "Data") (#any-of? @_new "new" "define"))

; Methods; those of a module are methods of what includes it.
(method name: (_) @name parameters: (_)? @parameters body: (_)? @body) @function
(singleton_method object: (self) name: (_) @name parameters: (_)? @parameters body: (_)? @body) @function
(singleton_method object: (constant) @owner name: (_) @name parameters: (_)? @parameters body: (_)? @body) @function
(module body: (body_statement [
  (method name: (_) @name) @method
  (singleton_method name: (_) @name) @method
]))
((call method: (identifier) @_define arguments: (argument_list . [(simple_symbol) (string)] @name) block: (_) @body)
  @function
  (#any-of? @_define "define_method" "define_singleton_method"))

; Attributes, aliases, constants.
((call
  !receiver
  method: (identifier) @_attribute
  arguments: (argument_list (simple_symbol) @name @field))
  (#any-of? @_attribute "attr_accessor" "attr_reader" "attr_writer" "attribute" "cattr_accessor" "mattr_accessor"
    "class_attribute" "delegate" "alias_method"))
(alias name: (_) @name) @function
(assignment left: (constant) @name) @constant

; Imports.
((call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list . (string) @module @everything .)) @import
  (#any-of? @_require "require" "require_relative" "load" "require_dependency"))
((call
  !receiver
  method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @name . (string) @module .)) @import
  (#eq? @_autoload "autoload"))

; Calls and constructions.
(call !receiver method: [(identifier) (constant)] @call.name arguments: (_)? @arguments) @call
((call receiver: (_) @receiver method: [(identifier) (constant)] @call.name arguments: (_)? @arguments) @call
  (#not-eq? @call.name "new"))
((call receiver: (constant) @call.name method: (identifier) @_new arguments: (_)? @arguments) @new
  (#eq? @_new "new"))
((call
  receiver: (scope_resolution scope: (_)? @receiver name: (_) @call.name)
  method: (identifier) @_new
  arguments: (_)? @arguments) @new
  (#eq? @_new "new"))
(call !receiver method: (super) @call.name arguments: (_)? @arguments) @call

; What a name is made of.
((assignment
  left: [(identifier) (instance_variable) (constant)] @name
  right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new)) @binding
  (#eq? @_new "new"))
(rescue
  exceptions: (exceptions . [(constant) (scope_resolution)] @type .)
  variable: (exception_variable (identifier) @name)) @binding

; What is raised and rescued.
((call
  !receiver
  method: (identifier) @_raise
  arguments: (argument_list . [
    (constant) @throw
    (scope_resolution) @throw
    (call receiver: [(constant) (scope_resolution)] @throw)
  ]))
  (#any-of? @_raise "raise" "fail"))
(rescue exceptions: (exceptions [(constant) (scope_resolution)] @catch))
((call
  !receiver
  method: (identifier) @_rescue
  arguments: (argument_list . [(constant) (scope_resolution)] @catch))
  (#eq? @_rescue "rescue_from"))

; Constants that are named.
(call receiver: [(constant) (scope_resolution)] @type.reference)
(argument_list [(constant) (scope_resolution)] @type.reference)
(superclass [(constant) (scope_resolution)] @type.reference)
(when pattern: (pattern [(constant) (scope_resolution)] @type.reference))
(scope_resolution scope: (constant) @type.reference)
(array [(constant) (scope_resolution)] @type.reference)

(comment) @comment
