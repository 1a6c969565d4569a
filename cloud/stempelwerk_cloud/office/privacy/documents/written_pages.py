"""The pages of a paper of numbered sections and tables. Only child processes load this module."""

from stempelwerk_cloud.kit.paper import PALE
from stempelwerk_cloud.kit.paper.pages import Paper
from stempelwerk_cloud.office.privacy.documents.written import WrittenPaper


class WrittenPages(Paper):
    """A paper of numbered sections."""

    def write_down(self, order: WrittenPaper) -> None:
        self.add_page()
        self.set_text_style(20, bold=True)
        self.line_of(order.title, 10)
        self.set_text_style(12, bold=True)
        self.paragraph(order.company, 7)
        self.set_text_style(8.5, colour=PALE)
        self.paragraph(
            f"Stand: {order.day}, Stempelwerk {order.version}. Erzeugt aus dem, was an diesem Tag eingestellt"
            " war. Angaben in eckigen Klammern hat der Betreiber noch nicht gemacht. Dies ist keine Rechtsberatung.",
            4.6,
        )
        number = 0
        for part in order.text.strip().split("\n\n"):
            if part.startswith("@"):
                table = order.tables[part.removeprefix("@")]
                self.grid(table.title, table.columns, table.rows, height=table.height)
            elif part.startswith("# "):
                number += 1
                if self.get_y() > self.eph - 20:
                    self.add_page()
                self.ln(4)
                self.set_text_style(11, bold=True)
                self.paragraph(f"{number}. {part.removeprefix('# ')}", 7)
            else:
                self.set_text_style(9.5)
                self.paragraph(part, 5)
                self.ln(1.5)

    def footer(self) -> None:
        self.numbers(str(self.title))
