"""Sources of data: servers that play lines, real text, generated text, and generated events."""
