"""Division of variables into two clusters."""
