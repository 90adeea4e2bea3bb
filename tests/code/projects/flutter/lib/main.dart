import 'package:flutter/material.dart';

class OrderList extends StatelessWidget {
  @override
  Widget build(BuildContext context) => Text('none');
}

final router = GoRouter(routes: [
  GoRoute(path: '/orders', builder: (context, state) => OrderList()),
]);
