@extends('layouts.app')
{{-- note: {{ gone() }} --}}
@section('content')
  <h1 id="top">{{ $user->title() }}</h1>
  <x-alert type="error" :message="$m"/>
  @include('users.row', ['u' => $user])
  @foreach ($users as $u) <p>{!! format($u) !!}</p> @endforeach
  @php
    $total = Cart::total();
  @endphp
  <a href="{{ route('users.index') }}">x</a>
@endsection
