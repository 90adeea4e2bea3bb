package shop;

@Entity
public class Order { }
