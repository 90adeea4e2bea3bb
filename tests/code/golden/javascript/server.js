'use strict';

const http = require('node:http');
const { join, resolve: absolute } = require('path');
const parse = require('./body').parse;
const debug = require('debug')('app:server');
require('./polyfills');

// Störst först.
const SIZES = [100, 10], names = {};
let server = null;
var app = exports = module.exports = {};

function listen(port, done) {
  server = http.createServer(app.handle);
  server.listen(port, () => done(null, join('ö', port)));
}

function* ids() { yield 1; }

app.handle = function handle(req, res, next) {
  const body = new Body(req);
  try {
    this.router.run(body, res);
  } catch (err) {
    throw new ServerError('trasig', err);
  }
};

Router.prototype.run = function (body) {
  return this.stack.find(layer => layer.match(body));
};

exports.close = () => server.close();
exports.SIZE = SIZES[0];

class Pool extends events.Emitter {
  static shared = new Pool();
  #free = [];
  take = async (wait) => this.#free.pop();

  constructor(size) {
    super();
    this.size = size;
    this.queue = new Queue(size);
  }

  async drain() { await this.queue.empty(); }
}

module.exports = {
  listen,
  Pool,
  stop: function (why) { return app.close?.(why); },
  'drain all'() { return Pool.shared.drain(); },
};
