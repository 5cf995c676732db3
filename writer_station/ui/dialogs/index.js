/*
 * Every dialog of the station by its name. Each is create(app, close, args) and answers
 * {element, label, first, key(event), keys?}; `first` is what the focus goes to.
 */
export { locked, openShift, signIn } from './sign-in.js';
export { credit, fill, shiftMenu } from './shift.js';
export { closeShift } from './close-shift.js';
export { ticketMenu, voidTicket } from './ticket.js';
export { question } from './question.js';
export { authorise } from './authorise.js';
export { messages } from './messages.js';
