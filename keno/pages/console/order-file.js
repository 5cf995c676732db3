// The file with a signed order, from the generator's console. Pure; the server decides.

/** @typedef {{order: Record<string, unknown>, reason: string, signers: number}} ReadOrder */

/**
 * Read the file. `not` has the words for a request, for another record, and for an order of
 * something else (empty if it is the right one).
 * @param {string} text
 * @param {RegExp} type of the order's record
 * @param {{request: string, record: string, forOther: (body: Record<string, unknown>) => string}}
 *   not
 * @returns {ReadOrder | {fault: string}}
 */
export function readOrderFile(text, type, not) {
  let order;
  try {
    order = JSON.parse(text);
  } catch {
    return { fault: 'This file is no order: it cannot be read.' };
  }
  const body = order?.body;
  if (!body || typeof body !== 'object') {
    return {
      fault: order?.genesis
        ? `This is the request, not the order. ${not.request}`
        : 'This file is no order of the generator’s console.',
    };
  }
  if (!type.test(String(body.type)))
    return { fault: `This file is a record of another kind, not ${not.record}.` };
  const fault = not.forOther(body);
  if (fault) return { fault };
  return {
    order,
    reason: String(body.reason ?? ''),
    signers: Object.keys(order.sigs ?? {}).length,
  };
}
