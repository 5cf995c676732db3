/*
 * Every dialog of the station by its name. Each is a function (app, close, args) that returns
 * {element, label, first, key(event), keys?}; `first` is the element to focus.
 */
export { locked, openShift, signIn } from './sign-in.js';
export { credit, fill, shiftMenu } from './shift.js';
export { closeShift } from './close-shift.js';
export { ticketMenu, voidTicket } from './ticket.js';
export { question } from './question.js';
export { authorise } from './authorise.js';
export { messages } from './messages.js';
