// Loaded on the click, as a loader script loads the code that opens the frame.
openFrame();
