// Package store keeps orders; prices are in öre.
package store

import (
	"context"
	. "errors"
	_ "embed"

	pb "example.com/shop/proto"
	"example.com/shop/money"
)

const Limit = 100

const (
	Open State = iota
	Closed
)

var ErrGone = New("borta ö")

type (
	State  int
	Prices map[string]money.Price
	Alias  = pb.Order
	Hook   func(ctx context.Context, order *Order) error
)

// Reader reads.
type Reader interface {
	pb.Source
	Find(ctx context.Context, id string) (*Order, error)
}

type Order struct {
	*Base
	money.Stamp
	ID, Name string
	lines    []Line `json:"lines"`
	store    *Store
}

type Store[T any] struct {
	cache map[string]T
	read  Reader
	hooks []Hook
}

func NewStore(read Reader, hooks ...Hook) *Store[Order] {
	store := &Store[Order]{read: read}
	return store
}

func (s *Store[T]) Find(ctx context.Context, id string) (found *Order, err error) {
	other := Order{ID: id}
	client := pb.NewClient(ctx)
	fallback, err := NewStore(s.read).Get(ctx)
	buffer := new(Buffer)
	defer func() { s.unlock() }()
	if cached, ok := s.read.(*Store[T]); ok {
		cached.Find(ctx, id)
	}
	client.Send(other, fallback, buffer)
	each := func(line Line) { line.Total(1, 2) }
	each(other.lines[0])
	typed[string](ctx, id)
	return s.read.Find(ctx, id)
}

func (p Prices) Sum(a, b int) money.Price { return money.Add(p["a"], Map[int](a)) }

func must(err error) {
	if err != nil {
		panic(Wrap(err))
	}
}
