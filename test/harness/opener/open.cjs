// An extension beside Tidemark for `npm start`: a window of a new profile shows the Explorer, and this one puts the Chat view in front of it.
const { commands } = require('vscode');

exports.activate = () => commands.executeCommand('tidemark.chat.focus');
