"""From a caller's options to a learned skeleton: settings, binding, clusters, threshold."""
