"""The rulebook: paragraphs as text files (en, fr, de), words for rulings, and the look-up."""

from tableref.rulebook.book import Rulebook, UnknownParagraph

__all__ = ["Rulebook", "UnknownParagraph"]
