"""What draws an explorer: its controls, its picture, and the frames that the browser holds."""
