"""The console's command `key_paper`: rules on a paper's number and code that a person types in.

A rate limit by person stops the guessing of codes.
"""

import logging

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol.paper import PaperRuling
from keno.service import paper
from keno.service.common import StaffContext
from keno.web.operations.table import operation
from keno.web.server import Caller, Server

log = logging.getLogger(__name__)


@operation(protocol.KeyPaper)
async def _key_paper(server: Server, caller: Caller, asked: protocol.KeyPaper) -> PaperRuling:
    if not server.keyed_papers.take(caller.person):
        log.warning("%s keyed too many papers from %s", caller.person, caller.address)
        raise Refused(
            Refusal.TOO_MANY_ATTEMPTS, "Many papers were keyed in a short time. Wait a minute."
        )
    return await paper.key_paper(server.house, StaffContext(caller.person), asked)
