"""What several games share: one module a family, and the pieces that families are made of."""
