"""Every page in a real Chromium, against real programs."""
