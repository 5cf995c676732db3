"""The same layout as a PDF, read by programs that are not ours: text by pypdf, dots by pdfium."""

import io

import numpy as np
import pypdf
import pypdfium2  # type: ignore[import-untyped] # it has no types
import pytest

from printer.documents import TicketPaper
from printer.layout import lay_out
from printer.pdf import to_pdf
from printer.sheet import Text
from tests.integration.printer.decoding import read_qr
from tests.unit.printer.papers import CODE, PAPERS, PREFIX, WIDTHS


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize("dots", WIDTHS)
def test_every_line_of_text_can_be_selected(name: str, dots: int) -> None:
    layout = lay_out(PAPERS[name], dots)
    [page] = pypdf.PdfReader(io.BytesIO(to_pdf([layout]))).pages
    found = " ".join(page.extract_text().split())
    for element in layout.elements:
        if isinstance(element, Text):
            assert " ".join(element.text.split()) in found
    wanted = (dots + 64) * 25.4 / 203
    assert float(page.mediabox.width) * 25.4 / 72 == pytest.approx(wanted, abs=0.1)


@pytest.mark.parametrize("dots", WIDTHS)
def test_its_code_is_read_from_the_rendered_page(dots: int) -> None:
    paper = PAPERS["multi-race"]
    assert isinstance(paper, TicketPaper)
    document = pypdfium2.PdfDocument(to_pdf([lay_out(paper, dots)]))
    picture = np.asarray(document[0].render(scale=203 / 72 * 2, grayscale=True).to_numpy())
    document.close()
    dark = (picture.reshape(picture.shape[:2]) < 128).astype(np.uint8)
    assert read_qr(dark) == [f"{PREFIX}A-4182276-{CODE}"]


def test_several_papers_have_a_page_each_a_title_and_always_the_same_bytes() -> None:
    layouts = [lay_out(PAPERS[name]) for name in ("straight", "void slip")]
    content = to_pdf(layouts, "Larkspur")
    assert content == to_pdf(layouts, "Larkspur")
    reader = pypdf.PdfReader(io.BytesIO(content))
    assert len(reader.pages) == 2
    assert reader.metadata is not None
    assert reader.metadata.title == "Ticket A-418 2276, Void slip A-418 2276"
    assert reader.metadata.author == "Larkspur"
