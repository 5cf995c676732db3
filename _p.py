from tests.unit.test_wager_types import *
from collections import Counter
C=Counter()
@settings(max_examples=600,database=None,deadline=None)
@given(requested())
def f(a): C[naive_refusal(*a) or naive_type(*a)]+=1
f(); print(C)
