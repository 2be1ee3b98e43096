//! What is wrong with the data mapping of existing directives, and what does each rule's page say?
