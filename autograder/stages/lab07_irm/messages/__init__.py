"""Who gets which message: `Registry`, `Master`."""
