"""One picture per idea; each module has show(), which returns what to say about its picture, and the picture."""
