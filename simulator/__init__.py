"""A simulated restaurant-information user, its noisy channel, belief tracker and actions."""
