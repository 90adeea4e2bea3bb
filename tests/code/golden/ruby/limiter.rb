# frozen_string_literal: true

require "json"
require_relative "../lib/store"
autoload :Clock, "shop/clock"

module Shop
  # How much a caller has left.
  class Limiter < Base::Bucket
    include Comparable
    extend ClassMethods, Kernel
    LIMIT = 10
    attr_accessor :size, :left
    has_many :orders, dependent: :destroy
    rescue_from Late, with: :later

    class Refusal < StandardError; end
    Point = Struct.new(:x, :y) do
      def far?
        x > LIMIT
      end
    end

    def initialize(size, clock: Clock.new, *rest, &block)
      @size = size
      @store = Store::Disk.new("a")
      super(size)
    end

    def self.build(count)
      new(count)
    end

    def take(count)
      raise Refusal, "none" if count > @size
      raise ArgumentError.new("x") unless count
      order = Order.new(count)
      order.save!
      @clock.now.to_i
      items.each do |item|
        item.go(1, 2)
      end
      yield count
    rescue IOError, Shop::Late => e
      log e
    ensure
      done
    end

    def empty? = size == 0

    def ==(other)
      other.size == size
    end

    class << self
      def registry
        @registry ||= {}
      end
    end

    private

    def hidden(a = 1); end
  end

  module Loud
    def shout(word)
      word.upcase
    end

    def self.included(base)
      base.extend(ClassMethods)
    end
  end

  class Outer::Inner < ::Base
  end
end

def Shop.helper(name)
  Shop::Limiter.build(name)
end

def top(path)
  JSON.parse(File.read(path))
end

Gone = Class.new(StandardError)
DEFAULTS = { size: 1 }.freeze

=begin
What follows is a route.
=end
get "/limits" do
  top "limits.json"
end
