"""Operations on adjacency rows of graphs."""
