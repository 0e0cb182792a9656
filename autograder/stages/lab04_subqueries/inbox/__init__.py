"""What an instance may process, and when: Inbox; and whole queries in many instances."""
