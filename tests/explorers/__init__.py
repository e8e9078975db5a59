"""The explorers without a browser: set a control's value, read the sentence, the numbers and the picture."""
