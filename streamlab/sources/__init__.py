"""Where lines come from: a line server that plays a source, real text, generated text."""
