// Decides which dialog must be answered before anything else is done at the station. Pure.

/** @import { StationState } from './types.js' */

/**
 * The dialog that a state requires: 'signIn', 'openShift' (also to move a shift here), 'locked'
 * on a break; '' for none.
 * @param {Pick<StationState, 'place' | 'writer' | 'shift'> | null} state
 */
export function requiredDialog(state) {
  if (!state?.place) return '';
  if (!state.writer) return 'signIn';
  if (!state.shift || state.shift.elsewhere) return 'openShift';
  return state.shift.locked ? 'locked' : '';
}
