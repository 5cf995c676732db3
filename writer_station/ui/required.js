// Which dialog has to be answered before anything else is done at the station. Pure.

/** @import { StationState } from './types.js' */

/**
 * Sign in, open a shift or bring it here, come back from a break; '' for none of these.
 * @param {Pick<StationState, 'place' | 'writer' | 'shift'> | null} state
 */
export function requiredDialog(state) {
  if (!state?.place) return '';
  if (!state.writer) return 'signIn';
  if (!state.shift || state.shift.elsewhere) return 'openShift';
  return state.shift.locked ? 'locked' : '';
}
