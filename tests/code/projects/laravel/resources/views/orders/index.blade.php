@extends('layouts.app')
<p>{{ $order->id }}</p>
