"""The verbs of topic models: words of topics, their scores, frames, data for pyLDAvis."""
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import numpy as np
import scipy.sparse

from .arguments import within
from .model import Model
from .words import counted_tokens, listed

if TYPE_CHECKING:
    from .estimator import Estimator as _Base
else:
    _Base = object


def ranked(model: Model, components: int, n: int, rank: str) -> Tuple[List[List[str]], Any]:
    """Words and scores of all components, best first; words without names are their numbers."""
    indices, scores = model.rank_words(components, n, rank)
    names = model.names
    return [[names[column] if names else str(column) for column in row] for row in indices], scores


class WordVerbs(_Base):
    """Verbs of estimators whose components have words."""

    def top_words(self, n: int = 10, rank: str = "probability") -> List[List[str]]:
        """The highest-ranked words of each topic, best first.

        Parameters
        ----------
        n : int
        rank : str
            "probability", "lift", "relevance", "frex" or "label", what distinguishes a topic from all others; "relevance:0.3",
            "frex:0.7" and "label:0.8" set other weights.

        Returns
        -------
        list of list of str
        """
        return ranked(self._fitted(), self._size(), n, rank)[0]

    def topics_frame(self, n: int = 10, rank: str = "probability") -> Any:
        """The highest-ranked words as a DataFrame of pandas with the columns topic, rank, word and score."""
        import pandas
        words, scores = ranked(self._fitted(), self._size(), n, rank)
        return pandas.DataFrame([(topic, place, word, scores[topic, place]) for topic, row in enumerate(words)
                                 for place, word in enumerate(row)], columns=["topic", "rank", "word", "score"])

    def coherence(self, X: Any = None, measure: str = "coherence_npmi", **options: Any) -> Any:
        """The score of each topic by its most probable words.

        Parameters
        ----------
        X : what `fit` accepts, optional
            Documents in which words are counted; not needed for "topic_diversity" and "exclusivity".
        measure : str
            "coherence_npmi", "coherence_umass", "topic_diversity" or "exclusivity".
        **options
            Such as `top_words`; see `describe("evaluate")`.
        """
        model = self._fitted()
        return model.evaluate_topics(self._size(), None if X is None else self._taken(X), measure, **options)

    def topic_words(self) -> Any:
        """The probabilities of the words under each topic, [topics x words]."""
        components = self.components_  # type: ignore[attr-defined]
        return components / components.sum(axis=1, keepdims=True)

    def topic_map(self, by: str = "distance") -> Any:
        """Places of the topics in the plane, those with similar words close together, [topics x 2]; x is the direction of larger spread.

        Classical scaling (Torgerson 1952) of the Jensen-Shannon distances between the topics' word probabilities.

        Parameters
        ----------
        by : str
            "distance", the square root of the divergence, or "divergence", as in LDAvis.
        """
        return self._fitted().topic_map(self._size(), by)

    def similar(self, topic: int, n: int = 5) -> List[Tuple[int, float]]:
        """The topics whose words are most like those of `topic`, with the Bhattacharyya coefficient (1: the same words)."""
        roots = np.sqrt(self.topic_words())
        topic, n = within(0, len(roots) - 1)(topic, "topic"), within(0, 2**63 - 1)(n, "n")
        likeness = roots @ roots[topic]
        likeness[topic] = -1
        return [(int(other), float(likeness[other])) for other in np.argsort(-likeness, kind="stable")[:min(n, len(likeness) - 1)]]

    def pyldavis_data(self, X: Any) -> Dict[str, Any]:
        """The arguments of `pyLDAvis.prepare` for these documents: a matrix, a DataFrame, or lists of words."""
        model = self._fitted()
        proportions = np.asarray(self.transform(X))  # type: ignore[attr-defined]
        X = listed(X)
        if isinstance(X, (list, tuple)):
            X = counted_tokens(X, model.names)[0]
        counts = scipy.sparse.csr_matrix(X.to_numpy() if hasattr(X, "to_numpy") else X)
        return {"topic_term_dists": self.topic_words(), "doc_topic_dists": proportions,
                "doc_lengths": np.asarray(counts.sum(axis=1)).reshape(-1),
                "vocab": model.names or [str(word) for word in range(model.columns)],
                "term_frequency": np.asarray(counts.sum(axis=0)).reshape(-1)}
